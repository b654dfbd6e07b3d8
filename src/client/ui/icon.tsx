/** A symbol of the page's sprite, drawn in the text's colour; it says nothing to a screen reader. */
export function Icon({ name, className }: { readonly name: string; readonly className?: string }) {
  return (
    <svg className={className ? `icon ${className}` : 'icon'} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}

/** Symbols by name: each is one or more paths on a 24 × 24 grid; a path starting with `*` is filled. */
export type Symbols = Readonly<Record<string, readonly string[]>>

/** The hidden sheet of symbols that `Icon` refers to; its place in the document does not matter. */
export function Sprite({ symbols }: { readonly symbols: Symbols }) {
  return (
    <svg className="sprite" width="0" height="0" aria-hidden="true">
      {Object.entries(symbols).map(([name, paths]) => (
        <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
          {paths.map((path) =>
            path.startsWith('*') ? (
              <path key={path} fill="currentColor" stroke="none" d={path.slice(1)} />
            ) : (
              <path key={path} d={path} />
            ),
          )}
        </symbol>
      ))}
    </svg>
  )
}
