import { defineConfig } from 'playwright/test'

export default defineConfig({
  testDir: '.',
  globalSetup: './global-setup.ts',
  outputDir: '../../test-results/e2e',
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  retries: 0,
  // Half of a journey is waiting; on two cores that makes three.
  workers: '150%',
  // Only what hangs fails by them, never a machine that is busy: the cores may be shared with other work.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: '../../test-results/e2e.json' }]],
  use: {
    locale: 'es-AR',
    serviceWorkers: 'block',
    // What is pressed, opened or waited for and never comes says so long before the journey's own limit.
    actionTimeout: 90_000,
    navigationTimeout: 90_000,
    // Waiting for what moves was a fifth of the time; files whose subject it is ask for motion.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
