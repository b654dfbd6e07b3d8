import type { SiteData } from '#contract/api.ts'
import { contactTexts } from '#contract/messages/contact.ts'
import { imageEndings } from '#contract/limits.ts'
import { share } from '#contract/offline/offline.ts'
import { pageMeta } from '#contract/page-heads.ts'
import { fullName } from '#contract/person/person.ts'
import { project } from '#contract/sections/project.ts'
import { hiddenSections, settingsOf } from '#contract/settings/settings.ts'
import { locale } from '#contract/text.ts'
import { manifestTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'

/** Home screens show about as many letters under an icon. */
const shortNameLength = 12
const color = '#051421'

/** The site as an application of its own: the profile's name, the way to start it, and what it takes from other ones. */
export function manifestOf(data: SiteData): string {
  const { person } = data
  const name = fullName(person)
  const first = person.fields['name'] ?? name
  return JSON.stringify({
    id: '/',
    name,
    short_name: Array.from(name).length > shortNameLength ? first : name,
    description: pageMeta('/', person).description,
    lang: locale,
    dir: 'ltr',
    start_url: '/?desde=app',
    scope: '/',
    display: 'standalone',
    display_override: ['standalone', 'minimal-ui'],
    launch_handler: { client_mode: ['navigate-existing', 'auto'] },
    background_color: color,
    theme_color: color,
    categories: ['business', 'productivity'],
    icons: icons(),
    screenshots: screenshots(),
    shortcuts: shortcuts(data),
    share_target: shareTarget(),
  })
}

const png = (size: number) => ({ sizes: `${size}x${size}`, type: 'image/png' })

function icons() {
  return [
    { src: '/icon-192.png', ...png(192), purpose: 'any' },
    { src: '/icon-512.png', ...png(512), purpose: 'any' },
    { src: '/icon-maskable-512.png', ...png(512), purpose: 'maskable' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ]
}

/** Pictures of nobody's portfolio in particular, since they are shown beside the profile's own name. */
function screenshots() {
  return [
    { form_factor: 'narrow', sizes: '780x1688', label: manifestTexts.screenshotNarrow },
    { form_factor: 'wide', sizes: '1280x800', label: manifestTexts.screenshotWide },
  ].map((picture) => ({
    src: `/screenshot-${picture.form_factor}.webp`,
    type: 'image/webp',
    ...picture,
  }))
}

function shortcuts({ settings }: SiteData) {
  const icon = { src: '/icon-192.png', ...png(192) }
  const hidden = hiddenSections(settingsOf(settings))
  return [
    ...(hidden.includes(project.key) ? [] : [{ name: project.title, url: project.path }]),
    { name: texts.card, description: ownerTexts.cardHint, url: '/card' },
    { name: texts.contact, description: contactTexts.title, url: '/contact' },
  ].map((shortcut) => ({ ...shortcut, icons: [icon] }))
}

function shareTarget() {
  const { photo, ...words } = share.fields
  return {
    action: share.path,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      ...words,
      files: [
        { name: photo, accept: ['image/jpeg', 'image/png', 'image/svg+xml', ...imageEndings] },
      ],
    },
  }
}
