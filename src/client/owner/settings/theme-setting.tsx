import { settingWords } from '#contract/texts/setting-words.ts'
import type { SettingValues } from '#contract/settings/settings.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { SavedMark, SettingError } from './setting-state.tsx'
import { Origin } from './setting-row.tsx'
import { SitePreview } from './site-preview.tsx'
import { useSetting } from './use-setting.tsx'

const themes = ['dark', 'light', 'device'] as const

export function ThemeSetting({ values }: { readonly values: SettingValues }) {
  const { value, state, origin, save, question } = useSetting('default_theme', values.default_theme)
  const { label, effect } = settingWords.default_theme
  const shown = themes.find((theme) => theme === value) ?? 'dark'
  return (
    <>
      <div className="setting wide">
        <div>
          <b id="setting-default_theme-label">{label}</b>
          <SavedMark state={state} />
          <p id="setting-default_theme-effect">{effect}</p>
          <Origin origin={origin} />
        </div>
        <fieldset
          className="themes"
          aria-labelledby="setting-default_theme-label"
          aria-describedby="setting-default_theme-effect setting-default_theme-state"
          disabled={origin === 'firebase'}
        >
          {themes.map((theme) => (
            <label key={theme}>
              <input
                type="radio"
                name="default_theme"
                value={theme}
                checked={theme === shown}
                onChange={() => save(theme, value)}
              />
              <span className={`thumb ${theme}`} aria-hidden="true">
                <i />
                <i />
                <i />
              </span>
              <span>
                <span className="radio-dot" aria-hidden="true" />
                {settingsTexts.themes[theme]}
              </span>
            </label>
          ))}
        </fieldset>
        <SettingError id="setting-default_theme-state" state={state} />
        {question}
      </div>
      <SitePreview title={settingsTexts.preview} theme={shown} />
    </>
  )
}
