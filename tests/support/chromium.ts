import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { onPath } from './on-path.ts'
import { installSystemPackage } from './system-package.ts'

interface Browser {
  readonly path: string
  /** Where it came from, for the one line that says what was chosen. */
  readonly source: string
}

/** May be set by hand; otherwise the first process that looks sets it for the ones it starts. */
const variable = 'TINTERO_CHROMIUM'
/** Set by the first process that looks, for the ones it starts. */
const shellVariable = 'TINTERO_CHROMIUM_SHELL'
const shells = ['chromium-headless-shell', 'chrome-headless-shell']
const commands = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser']
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const isRoot = process.getuid?.() === 0

/**
 * What Chromium leaves out. It heeds the last of several such switches, so what Playwright switches off stands here as well;
 * the first one keeps a process ready for a next page, which in hundreds of journeys never comes: a sixth of all their work.
 * The next two draw what its address bar would unfold: three fifths of the work of starting the whole browser.
 */
const featuresOff = [
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** No sandbox only where Chromium refuses to start otherwise; nothing that talks to other hosts. */
export const chromiumArgs: readonly string[] = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${featuresOff.join(',')}`,
]

/**
 * The path of a Chromium that starts: the one named by TINTERO_CHROMIUM, an installed one, Playwright's own, or one it
 * installs now. Says in one line what it chose; throws with what is missing and how to get it.
 */
export function chromiumPath(): string {
  const named = process.env[variable]
  if (named !== undefined && !starts(named)) {
    throw new Error(`${variable} names ${named}, which is no browser that starts.`)
  }
  const found = named ? { path: named, source: variable } : find()
  process.env[variable] = found.path
  process.env[shellVariable] ??= named ?? starting(shells)[0] ?? found.path
  process.stdout.write(`Chromium: ${found.path} (${found.source})\n`)
  return found.path
}

/** As `chromiumPath`, for every start after the first: what was found once is not tried again. */
export function foundChromium(): string {
  return process.env[variable] ?? chromiumPath()
}

/**
 * The path of a Chromium for pages alone: the shell without windows where there is one, which does the same in three
 * quarters of the time. It has no notifications, no push and no installing.
 */
export function foundShell(): string {
  return process.env[shellVariable] ?? foundChromium()
}

function find(): Browser {
  const found = installed() ?? downloaded() ?? download() ?? installPackage()
  if (!found) {
    throw new Error(
      `No Chromium found. Install Chrome or Chromium, or run "npx playwright install --with-deps chromium", or name one in ${variable}.`,
    )
  }
  return found
}

function installed(): Browser | undefined {
  const [path = applications.find((candidate) => starts(candidate))] = starting(commands)
  return path === undefined ? undefined : { path, source: 'installed' }
}

/** Those of the commands that start, as paths. */
function starting(names: readonly string[]): readonly string[] {
  return onPath(names).filter((candidate) => starts(candidate))
}

function downloaded(): Browser | undefined {
  const path = chromium.executablePath()
  return starts(path) ? { path, source: "Playwright's own" } : undefined
}

function download(): Browser | undefined {
  process.stdout.write('No Chromium here; downloading the one Playwright brings.\n')
  spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' })
  return downloaded()
}

function installPackage(): Browser | undefined {
  installSystemPackage('chromium')
  return installed()
}

/** Whether the file is a browser with all its libraries; Ubuntu's `chromium-browser` may be an empty shell. */
function starts(path: string): boolean {
  if (!existsSync(path)) return false
  if (process.platform === 'win32') return true
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return status === 0 && /Chrom/.test(stdout)
}
