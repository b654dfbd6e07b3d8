import { useState } from 'react'
import { bannerEnd, type SettingKey, type SettingValues } from '#contract/settings/settings.ts'
import { fill } from '#contract/text.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { useNow } from '#client/ui/use-now.ts'
import { SettingRow } from './setting-row.tsx'
import { SitePreview } from './site-preview.tsx'
import { dateInWords } from './written-date.ts'

const keys = ['banner_text', 'banner_url', 'banner_until'] as const satisfies readonly SettingKey[]

/** Previews the notice at every letter, before it is saved. */
export function NoticeSettings({ values }: { readonly values: SettingValues }) {
  const [typed, setTyped] = useState<Partial<SettingValues>>({})
  const left = keys.filter((key) => typed[key] !== undefined && typed[key] !== values[key])
  if (left.length < Object.keys(typed).length) {
    // What is stored counts from here on, whoever changes it.
    setTyped(Object.fromEntries(left.map((key) => [key, typed[key]])))
  }
  const now = useNow()
  const shown = { ...values, ...typed }
  return (
    <div className="card">
      {keys.map((key) => (
        <SettingRow
          key={key}
          settingKey={key}
          value={values[key]}
          onTyping={(value) => setTyped({ ...typed, [key]: value })}
        />
      ))}
      {shown.banner_text ? (
        <SitePreview
          title={previewTitle(shown, now)}
          theme={values.default_theme}
          notice={shown.banner_text}
          isLink={shown.banner_url !== ''}
        />
      ) : null}
    </div>
  )
}

function previewTitle(shown: SettingValues, now: number): string {
  const end = bannerEnd(shown)
  if (end <= now) return settingsTexts.previewOver
  // None while what is typed is no day.
  if (!Number.isFinite(end)) return settingsTexts.preview
  return fill(settingsTexts.previewUntil, { date: dateInWords(shown.banner_until) })
}
