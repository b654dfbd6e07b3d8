import { chromiumPath } from '#tests/support/chromium.ts'

/** Finds the browser once for all workers, which read its path from the environment. */
export default function globalSetup(): void {
  chromiumPath()
}
