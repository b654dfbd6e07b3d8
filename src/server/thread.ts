import { Worker } from 'node:worker_threads'

/** What a thread answers. */
export type ThreadAnswer<T> = { readonly value: T } | { readonly error: string }

interface ThreadOptions {
  readonly withinMs: number
  readonly memoryMb: number
}

/** An unused thread holds memory. */
const idleMs = 60_000

/** The file of a thread beside the one that starts it: the sources run as they are, the build puts all into one folder. */
export function threadFile(name: string, beside: string): URL {
  return new URL(`./${name}.${beside.endsWith('.ts') ? 'ts' : 'js'}`, beside)
}

/**
 * Asks a thread, which is started when it is needed; one question at a time. Rejects when it fails or takes too long,
 * and the next question starts another.
 */
export function createThread<Answer>(
  file: URL,
  options: ThreadOptions,
): (question: unknown) => Promise<Answer> {
  let worker: Worker | undefined
  let rest: NodeJS.Timeout | undefined
  const stop = () => {
    void worker?.terminate()
    worker = undefined
  }
  const begin = () => {
    const begun = start(file, options)
    // It may fail between two questions, too: the next starts another, while an error that nobody hears ends the process.
    begun
      .on('error', () => undefined)
      .once('exit', () => {
        if (worker === begun) worker = undefined
      })
    return begun
  }
  return async (question) => {
    clearTimeout(rest)
    worker ??= begin()
    try {
      return await ask<Answer>(worker, question, options.withinMs)
    } catch (error) {
      stop()
      throw error
    } finally {
      rest = setTimeout(stop, idleMs).unref()
    }
  }
}

function start(file: URL, { memoryMb }: ThreadOptions): Worker {
  // What the process was started with is not for its threads.
  const limits = { maxOldGenerationSizeMb: memoryMb }
  const worker = new Worker(file, { resourceLimits: limits, execArgv: [] })
  worker.unref()
  return worker
}

function ask<T>(worker: Worker, question: unknown, withinMs: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const late = setTimeout(() => reject(new Error('no answer of the thread in time')), withinMs)
  const take = (answer: ThreadAnswer<T>) =>
    'value' in answer ? resolve(answer.value) : reject(new Error(answer.error))
  const end = () => reject(new Error('the thread has ended'))
  worker.once('message', take).once('error', reject).once('exit', end)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(question)
  return promise.finally(() => {
    clearTimeout(late)
    worker.off('message', take).off('error', reject).off('exit', end)
  })
}
