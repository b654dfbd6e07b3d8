import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { binDays, binPlace } from '#contract/entries/bin.ts'
import { pathOfPage } from '#contract/entries/list-pages.ts'
import type { Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { texts } from '#contract/texts/site.ts'
import { focusHeading } from '#client/browser/focus-after-navigation.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import { useHasDraft } from '#client/owner/drafts/entry-drafts.ts'
import { useBin } from '#client/owner/settings/bin-list.ts'
import { Loading } from '#client/site/loading.tsx'
import { NotFound } from '#client/site/not-found.tsx'
import { Alert } from '#client/ui/alert.tsx'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { focusTitleAfter, isFocusLost } from '#client/ui/lost-focus.ts'
import { EditorPage } from './editor-page.tsx'
import { editForm } from './form-keys.ts'
import { restoreFromBin } from './removed-entries.ts'

interface GoneEntryProps {
  readonly section: Section
  readonly id: string
}

/**
 * In place of the editor of an entry that lies in the bin, the way back; of any other address that leads nowhere, what it is,
 * which a device that could not read the bin does not know.
 */
export function GoneEntry({ section, id }: GoneEntryProps) {
  const queryClient = useQueryClient()
  const { items, isRead, trouble, refetch } = useBin()
  const hasDraft = useHasDraft(editForm(section, id))
  const item = items.find(({ entry }) => entry.id === id)
  if (!item && isRead) return <NotFound />
  if (!item && !trouble) return <Loading />
  const page = {
    title: section.words.edit,
    back: { path: pathOfPage(section, 1), title: section.title },
  }
  if (!item) {
    return (
      <EditorPage {...page}>
        <Alert isWide role="alert" title={binTexts.unread} words={binTexts.unreadHint}>
          <Button ref={focusTitleAfter} tone="ghost" small onClick={() => void refetch()}>
            {texts.retry}
          </Button>
        </Alert>
      </EditorPage>
    )
  }
  const { fields } = item.entry
  const restore = async () => {
    await restoreFromBin(item, queryClient)
    // The form has taken the place of what was pressed.
    if (isFocusLost()) focusHeading()
  }
  return (
    <EditorPage {...page}>
      <div className="empty">
        <span className="bubble">
          <Icon name="trash" />
        </span>
        <h2>{fill(binTexts.inBin, { name: fields[section.display.title] ?? '' })}</h2>
        <p>{hasDraft ? binTexts.typedStays : fill(binTexts.about, { n: binDays })}</p>
        <div className="actions">
          <Button onClick={() => void whileBusy(restore)}>{binTexts.restore}</Button>
          <Link className={buttonClass({ tone: 'ghost' })} to="/settings" hash={binPlace}>
            {binTexts.open}
          </Link>
        </div>
      </div>
    </EditorPage>
  )
}
