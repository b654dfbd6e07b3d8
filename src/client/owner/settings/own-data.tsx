import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { cvPdfPath, resumeCalls } from '#contract/resume/resume-calls.ts'
import type { SettingValues } from '#contract/settings/settings.ts'
import { siteCopyName } from '#contract/site-copy.ts'
import { texts } from '#contract/texts/site.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { importTexts } from '#contract/texts/import.ts'
import { ApiError, apiBase } from '#client/data/api.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { handFile } from './hand-file.ts'
import { LineOutcome, SettingLine } from './setting-line.tsx'
import { SiteCopyDialog } from './site-copy-dialog.tsx'

export function OwnData({ values }: { readonly values: SettingValues }) {
  return (
    <>
      <h3 className="setting-head">{copiesTexts.takeAlong}</h3>
      <div className="card">
        {/* The page is told whether there is one. */}
        {'pdf' in document.documentElement.dataset ? (
          <SettingLine
            title={importTexts.pdfCv}
            hint={`${importTexts.pdfCvHint} ${importTexts.pdfCvLetters}`}
          >
            <a className={buttonClass({ tone: 'ghost' })} href={cvPdfPath} download>
              <Icon name="save" />
              {importTexts.downloadPdf}
            </a>
          </SettingLine>
        ) : null}
        <SiteDownload values={values} />
        <Download
          title="resume.json"
          hint={importTexts.downloadHint}
          action={importTexts.download}
          hand={handResume}
        />
      </div>
      <h3 className="setting-head">{texts.import}</h3>
      <div className="card">
        <SettingLine title={importTexts.sources} hint={importTexts.settingsHint}>
          <Link className={buttonClass({ tone: 'ghost' })} to="/traer">
            {texts.import}
          </Link>
        </SettingLine>
      </div>
    </>
  )
}

interface DownloadProps {
  readonly title: string
  readonly hint: string
  readonly action: string
  /** Hands the file to the browser, which saves it. */
  readonly hand: () => Promise<void>
}

function Download({ title, hint, action, hand }: DownloadProps) {
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const download = async () => {
    setBusy(true)
    setTrouble('')
    try {
      await hand()
    } catch (cause) {
      logProblem(`${title} could not be downloaded`, cause)
      setTrouble(reasonOf(cause))
    }
    setBusy(false)
  }
  return (
    <SettingLine title={title} hint={hint}>
      <Button tone="ghost" icon="save" busy={isBusy} onClick={() => void download()}>
        {action}
      </Button>
      <LineOutcome words={trouble} isBad={trouble !== ''} />
    </SettingLine>
  )
}

function reasonOf(cause: unknown): string {
  if (cause instanceof ApiError && cause.mensaje !== undefined) return cause.mensaje
  return navigator.onLine ? importTexts.notDownloaded : importTexts.offlineDownload
}

/** The exported site needs no server; the browser saves its files as they are compressed. */
function SiteDownload({ values }: { readonly values: SettingValues }) {
  const [isOpen, setOpen] = useState(false)
  const [lacks, setLacks] = useState('')
  return (
    <>
      <SettingLine title={copiesTexts.site} hint={copiesTexts.siteHint}>
        <Button
          tone="ghost"
          icon="save"
          aria-haspopup="dialog"
          onClick={() => {
            setLacks('')
            setOpen(true)
          }}
        >
          {copiesTexts.downloadSite}
        </Button>
        <LineOutcome words={lacks} isBad={lacks !== ''} />
      </SettingLine>
      {isOpen ? (
        <SiteCopyDialog
          values={values}
          onClose={() => setOpen(false)}
          onMade={({ path, lacks: what = '' }) => {
            setOpen(false)
            handFile(apiBase + path, siteCopyName)
            setLacks(what)
          }}
        />
      ) : null}
    </>
  )
}

async function handResume(): Promise<void> {
  const { json } = await callAsOwner('GET', resumeCalls.resume)
  const blob = new Blob([JSON.stringify(json, null, 2)], { type: 'application/json' })
  const url = URL.createObjectURL(blob)
  handFile(url, 'resume.json')
  // The browser begins to save the file in a later turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
