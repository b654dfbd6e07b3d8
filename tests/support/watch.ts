import type { ConsoleMessage, Page } from 'playwright/test'
import { offPaths } from './page-paths.ts'

/** Collects what pages report: console errors and warnings, exceptions, policy violations, requests to other hosts. */
export interface Watch {
  add(page: Page, url: string): void
  /** Declares problems that a test causes on purpose. */
  expect(...patterns: readonly RegExp[]): void
  /** What was reported and not expected. */
  problems(): readonly string[]
}

/** The router starts view transitions and never looks at their promises: one overtaken by the next, or by a resize, rejects. */
const overtaken = /^exception: Transition was (?:skipped|aborted)/
/** A section that begins off answers 404 even where its owner's browser asks; the application then shows her its page. */
const nowhere = new RegExp(`404 \\(Not Found\\) \\(http://[^/]+(?:${offPaths.join('|')})\\)$`)

/** Expects from the start what is no fault: view transitions cut short, and 404 for sections that begin off. */
export function watchPage(): Watch {
  const reported: string[] = []
  const expected: RegExp[] = [overtaken, nowhere]
  return {
    add: (page, url) => {
      page.on('console', (message) => {
        if (['error', 'warning', 'assert'].includes(message.type())) reported.push(said(message))
      })
      page.on('pageerror', (error) => reported.push(`exception: ${error.message}`))
      page.on('request', (request) => {
        const address = request.url()
        if (address.startsWith('http') && !address.startsWith(url)) {
          reported.push(`request to another host: ${address}`)
        }
      })
    },
    expect: (...patterns) => void expected.push(...patterns),
    problems: () => reported.filter((line) => !expected.some((pattern) => pattern.test(line))),
  }
}

function said(message: ConsoleMessage): string {
  return `console ${message.type()}: ${message.text()} (${message.location().url})`
}
