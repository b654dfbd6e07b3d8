import type { SiteData } from '#contract/api.ts'
import { contactTexts } from '#contract/contact.ts'
import { imageEndings } from '#contract/limits.ts'
import { share } from '#contract/offline.ts'
import { pageMeta } from '#contract/pages.ts'
import { fullName } from '#contract/person.ts'
import { project } from '#contract/sections/project.ts'
import { hiddenSections, parseSettings } from '#contract/settings.ts'
import { manifestTexts } from '#contract/texts-offline.ts'
import { texts } from '#contract/texts.ts'

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
    lang: 'es',
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

function icons() {
  const png = (size: number) => ({ sizes: `${size}x${size}`, type: 'image/png' })
  return [
    { src: '/icon-192.png', ...png(192), purpose: 'any' },
    { src: '/icon-512.png', ...png(512), purpose: 'any' },
    { src: '/icon-maskable-512.png', ...png(512), purpose: 'maskable' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ]
}

function screenshots() {
  const picture = (form: string, size: string, label: string) => ({
    src: `/screenshot-${form}.webp`,
    sizes: size,
    type: 'image/webp',
    form_factor: form,
    label,
  })
  return [
    picture('narrow', '780x1688', manifestTexts.screenshotNarrow),
    picture('wide', '1280x800', manifestTexts.screenshotWide),
  ]
}

function shortcuts({ settings }: SiteData) {
  const icon = { src: '/icon-192.png', sizes: '192x192', type: 'image/png' }
  const hidden = hiddenSections(parseSettings(settings))
  return [
    ...(hidden.includes(project.key) ? [] : [{ name: project.title, url: project.path }]),
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
