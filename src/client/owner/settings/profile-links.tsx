import type { OwnSettings } from '#contract/settings/settings.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { Button } from '#client/ui/button.tsx'
import { AddressRow } from './address-row.tsx'
import { Origin } from './setting-row.tsx'
import { SavedMark, SettingError } from './setting-state.tsx'
import { addressAdderId, useAddresses } from './use-addresses.ts'

/** Her pages elsewhere, each in a row: on two sites that have one always, and on whatever others she adds. */
export function ProfileLinks({ values }: { readonly values: OwnSettings }) {
  const linkedIn = useAddresses('linkedin_url', values.linkedin_url)
  const gitHub = useAddresses('github_url', values.github_url)
  const further = useAddresses('profile_urls', values.profile_urls)
  return (
    <div className="card">
      <ul className="rows slist addresses">
        {[linkedIn, gitHub, further].flatMap(({ rows }) =>
          rows.map(({ key, ...row }) => <AddressRow key={key} {...row} />),
        )}
      </ul>
      <div className="add-row">
        {further.origin === 'firebase' ? (
          <Origin origin="firebase" />
        ) : (
          <Button id={addressAdderId} tone="ghost" small icon="plus" onClick={further.add}>
            {settingsTexts.addLink}
          </Button>
        )}
        <SavedMark state={further.state} />
        <SettingError id="setting-profile_urls-state" state={further.state} />
      </div>
      {linkedIn.question}
      {gitHub.question}
      {further.question}
    </div>
  )
}
