import { loginTexts } from '#contract/access/login.ts'
import { Alert } from '#client/ui/alert.tsx'

/** Says to whoever runs no scripts why nothing else is here. */
export function NeedsScript() {
  return (
    <noscript>
      <Alert icon="info" words={loginTexts.needsScript} />
    </noscript>
  )
}
