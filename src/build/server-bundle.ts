/**
 * Packages that the server's bundle leaves in node_modules: native and WebAssembly ones load files of their own, and the parsers of
 * passkeys lose their order when bundled.
 */
export const unbundled = ['sharp', 'pg', 'subset-font', 'pdfkit', '@simplewebauthn/server']

/** The files that the server's threads run, each a bundle of its own. */
export const threadEntries = {
  'hash-worker': 'src/server/access/hash-worker.ts',
  'font-worker': 'src/server/typed-title/font-worker.ts',
  'cv-worker': 'src/server/resume/cv-worker.ts',
}
