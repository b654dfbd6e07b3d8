import { offlineTexts } from '#contract/texts/offline.ts'
import { dismissInstall, install, installing, noInstall } from './install.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { offlineSymbols } from '#client/ui/offline-symbols.ts'
import { useStore } from '#client/ui/store.ts'

const titleId = 'instalar'

/** The offer to put the site on the home screen: by a press, or in words where only the browser's own menu can. */
export function InstallCard() {
  const { way, isOffered } = useStore(installing, noInstall)
  if (!isOffered || way === 'none') return null
  return (
    <aside className="sheet prompt" aria-labelledby={titleId}>
      <Sprite symbols={offlineSymbols} />
      <img src="/icon.svg" alt="" width="48" height="48" />
      {way === 'prompt' ? <PressToInstall /> : <MenuToInstall />}
    </aside>
  )
}

function PressToInstall() {
  return (
    <>
      <h3 id={titleId}>{offlineTexts.installTitle}</h3>
      <p>{offlineTexts.installHint}</p>
      <div className="actions">
        <Button tone="quiet" onClick={dismissInstall}>
          {offlineTexts.installLater}
        </Button>
        <Button icon="download" onClick={() => void install()}>
          {offlineTexts.install}
        </Button>
      </div>
    </>
  )
}

const signs: Readonly<Record<string, readonly [icon: string, word: string]>> = {
  '{share}': ['share', offlineTexts.installIosShare],
  '{add}': ['plusq', offlineTexts.installIosAdd],
}

function MenuToInstall() {
  return (
    <>
      <h3 id={titleId}>{offlineTexts.installIosTitle}</h3>
      <p>{offlineTexts.installIosHint.split(/(\{\w+\})/).map(withSign)}</p>
      <div className="actions">
        <Button tone="quiet" onClick={dismissInstall}>
          {offlineTexts.installIosDone}
        </Button>
      </div>
    </>
  )
}

function withSign(part: string) {
  const [icon, word] = signs[part] ?? []
  if (icon === undefined) return part
  return (
    <span key={part}>
      <Icon name={icon} /> <b>{word}</b>
    </span>
  )
}
