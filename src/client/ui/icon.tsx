/** Hidden from screen readers. */
export function Icon({ name, className }: { readonly name: string; readonly className?: string }) {
  return (
    <svg className={className ? `icon ${className}` : 'icon'} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}

/** Path data by name, on a 24 × 24 grid; data that starts with `*` is filled instead of outlined. */
export type Symbols = Readonly<Record<string, string>>

/** May stand anywhere in the document. */
export function Sprite({ symbols }: { readonly symbols: Symbols }) {
  return (
    <svg className="sprite" width="0" height="0" aria-hidden="true">
      {Object.entries(symbols).map(([name, data]) => (
        <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
          {data.startsWith('*') ? (
            <path fill="currentColor" stroke="none" d={data.slice(1)} />
          ) : (
            <path d={data} />
          )}
        </symbol>
      ))}
    </svg>
  )
}
