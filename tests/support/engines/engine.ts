/** A tab of some browser, with the few things that every driver can do. */
export interface Tab {
  goto(url: string): Promise<void>
  /** Runs a function of its own in the page; what it gives back, or promises, has to be JSON. */
  run<Args extends readonly unknown[], T>(
    script: (...args: Args) => T | Promise<T>,
    ...args: Args
  ): Promise<T>
  /** Presses the element as the pointer does. */
  press(selector: string): Promise<void>
  /** Types into the field as the keyboard does. */
  type(selector: string, text: string): Promise<void>
  choose(selector: string, file: string): Promise<void>
  /** Errors that nothing in the pages handled, as far as the driver or the pages themselves tell of them. */
  errors(): Promise<readonly string[]>
}

/** A running browser with a new profile. */
export interface RunningBrowser {
  /** What it calls itself, for the line that says which versions were run. */
  readonly version: string
  readonly tab: Tab
  close(): Promise<void>
}

/** A browser engine that the journeys run in where the machine has it. */
export interface Engine {
  readonly name: string
  /** What is missing on this machine, in a sentence that says how to get it; undefined when it can run. */
  missing(): string | undefined
  launch(): Promise<RunningBrowser>
}

/** What stands before each error, so that it can be told from whatever else a page says. */
export const mark = 'Unhandled:'
