import { globSync, readFileSync } from 'node:fs'

interface SourceFile {
  /** From the top folder, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** The project's own code files matching a pattern such as `src/**`. */
export function sourceFiles(pattern: string): readonly SourceFile[] {
  const paths = globSync(`${pattern}/*.{ts,tsx}`).map((path) => path.replaceAll('\\', '/'))
  return paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}

/** The code without comments, which may speak of anything. */
export function withoutComments(code: string): string {
  const parts =
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/.*|\/\*[\s\S]*?\*\//g
  return code.replaceAll(parts, (_, text: string | undefined) => text ?? '')
}
