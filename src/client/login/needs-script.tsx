import { loginTexts } from '#contract/access/login.ts'
import { Icon } from '#client/ui/icon.tsx'

/** Says to whoever runs no scripts why nothing else is here. */
export function NeedsScript() {
  return (
    <noscript>
      <div className="alert">
        <Icon name="info" />
        <p>{loginTexts.needsScript}</p>
      </div>
    </noscript>
  )
}
