import { useQuery } from '@tanstack/react-query'
import type { OwnSettings } from '#contract/settings/settings.ts'
import { ageWords, settingWords } from '#contract/texts/setting-words.ts'
import { useRemoteSettings } from '#client/data/remote-settings.ts'
import { birthDateQuery } from '#client/outbox/birth-date.ts'
import { ownerRead } from '#client/owner/calls/read-anew.ts'
import { SettingRow } from './setting-row.tsx'

/** The age is a written text, or follows from a birth date. */
export function AgeSettings({ values }: { readonly values: OwnSettings }) {
  const { data: stored, isError } = useQuery({ ...birthDateQuery, ...ownerRead })
  const isElsewhere = Object.hasOwn(useRemoteSettings(), 'age_text')
  const birth = values.birth_date ?? stored
  const isUnread = isError && birth === undefined
  return (
    <>
      {birth && !isElsewhere ? (
        <div className="setting">
          <div>
            <b id="setting-age_text-label">{settingWords.age_text.label}</b>
            <p>{ageWords.derived}</p>
          </div>
          <output aria-labelledby="setting-age_text-label">{values.age_text}</output>
        </div>
      ) : (
        <SettingRow settingKey="age_text" value={values.age_text} />
      )}
      <SettingRow
        settingKey="birth_date"
        value={birth ?? ''}
        isUnread={birth === undefined}
        note={isUnread ? ageWords.unread : undefined}
      />
    </>
  )
}
