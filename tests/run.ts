import { spawn } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'

/*
 * Every gate and every test, one after the other, whatever fails on the way; what failed is said again at the end, where
 * whoever sees only that can read it, and the last line adds up all runners.
 * A gate (format, lint, types, dead code, build) counts as one test. `node tests/run.ts check` is what fails fast,
 * `node tests/run.ts all` plays what is left out otherwise: the tests tagged `long`, and the journeys that are not `@main`.
 */

const scope = process.argv[2]
const isAll = scope === 'all'
const mainOnly = isAll ? [] : ['--grep', '@main']

interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What each failed test, or file of tests, said of itself. */
  readonly reasons?: readonly string[]
}

interface Step {
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
  /** Reads the runner's own report; a step without one is a gate. */
  readonly count?: (report: unknown) => Count
}

const reports = 'test-results'
/** How much of what a red test said is said again. */
const linesOfReason = 30

const gates: readonly Step[] = [
  { title: 'format', command: 'oxfmt', args: ['--check', '.'] },
  { title: 'lint', command: 'oxlint', args: ['--deny-warnings'] },
  { title: 'types', command: 'tsc', args: ['-b'] },
  { title: 'dead code', command: 'knip', args: [] },
]

const steps: readonly Step[] = [
  ...gates,
  vitest('unit', 'worker'),
  // What kills processes and plays histories takes minutes.
  vitest('api', 'pair', 'simulation'),
  { title: 'build', command: 'npm', args: ['run', '--silent', 'build'] },
  vitest('build'),
  vitest('engines'),
  {
    title: 'e2e',
    command: 'playwright',
    args: ['test', '--config', 'tests/browser/playwright.config.ts', ...mainOnly],
    count: countPlaywright,
  },
]

function vitest(...projects: readonly string[]): Step {
  const title = projects.join(', ')
  const report = `--outputFile.json=${reportOf(title)}`
  const named = projects.map((project) => `--project=${project}`)
  const tags = isAll ? [] : ['--tags-filter=!long']
  const args = ['run', ...named, ...tags, '--reporter=default', '--reporter=json', report]
  return { title, command: 'vitest', args, count: countVitest }
}

function reportOf(title: string): string {
  return `${reports}/${title.replaceAll(', ', '-')}.json`
}

interface VitestFile {
  readonly name: string
  /** Why no test of the file could run. */
  readonly message: string
  readonly assertionResults: readonly {
    readonly status: string
    readonly tags: readonly string[]
    readonly fullName: string
    readonly failureMessages: readonly string[]
  }[]
}

function countVitest(report: unknown): Count {
  const { numPassedTests, numFailedTests } = report as Record<string, number>
  const { testResults } = report as { testResults: readonly VitestFile[] }
  const skipped = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags }) => status === 'skipped' && (isAll || !tags.includes('long')))
  return {
    passed: numPassedTests ?? 0,
    failed: numFailedTests ?? 0,
    skipped: skipped.length,
    reasons: testResults.flatMap(({ name, message, assertionResults }) => [
      ...(message ? [`${name}\n${message}`] : []),
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => [name, fullName, ...failureMessages].join('\n')),
    ]),
  }
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly ok: boolean
    readonly title: string
    readonly file: string
    readonly line: number
    readonly tests: readonly {
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[]
    }[]
  }[]
}

function countPlaywright(report: unknown): Count {
  const { stats } = report as { stats: Record<string, number> }
  return {
    passed: (stats['expected'] ?? 0) + (stats['flaky'] ?? 0),
    failed: stats['unexpected'] ?? 0,
    skipped: stats['skipped'] ?? 0,
    reasons: (report as PlaywrightSuite).suites?.flatMap(reasonsOf) ?? [],
  }
}

function reasonsOf({ suites = [], specs }: PlaywrightSuite): readonly string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ title, file, line, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
      return [`${file}:${line}`, title, ...errors.map(({ message }) => message)].join('\n')
    })
  return [...own, ...suites.flatMap(reasonsOf)]
}

/** Runs one step with its output passed through; resolves to its exit code. */
function run({ title, command, args }: Step): Promise<number> {
  console.log(`\n── ${title} ──`)
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf('e2e') }
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.log(error.message)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** What the step adds to the last line; a runner that broke without a failed test counts as one failure. */
function countStep(step: Step, code: number): Count {
  const broken = { passed: 0, failed: 1, skipped: 0 }
  if (!step.count) return code === 0 ? { ...broken, passed: 1, failed: 0 } : broken
  try {
    const counted = step.count(JSON.parse(readFileSync(reportOf(step.title), 'utf8')))
    return code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted
  } catch (error) {
    console.log(`${step.title}: no report (${String(error)})`)
    return broken
  }
}

const chosen = scope === 'check' ? steps.slice(0, gates.length + 1) : steps
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports)
const total = { passed: 0, failed: 0, skipped: 0 }
const failedSteps: string[] = []
const reasons: string[] = []
for (const step of chosen) {
  const count = countStep(step, await run(step))
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
  if (count.failed > 0) failedSteps.push(`${step.title} (${count.failed})`)
  reasons.push(...(count.reasons ?? []))
}
// Pictures stay where the tests ran; what the pages of a red journey showed is to be read wherever its red is.
for (const trace of globSync(`${reports}/e2e/*/page-*.txt`)) {
  console.log(`\n${readFileSync(trace, 'utf8')}`)
}
for (const reason of reasons) {
  console.log(`\n✗ ${reason.split('\n').slice(0, linesOfReason).join('\n')}`)
}
console.log('')
if (failedSteps.length > 0) console.log(`Failed: ${failedSteps.join(', ')}`)
if (total.skipped > 0) console.log(`Skipped: ${total.skipped}, for the reasons said above`)
if (scope === undefined) console.log('Longer tests and more journeys: npm run test:all')
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
