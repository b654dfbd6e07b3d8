import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sources } from './builds.ts'

/** A page that the product has not got, which tests add to a copy of its sources. */
export const ownPage = { path: '/ahora', title: 'Ahora', heading: 'Lo que hago ahora' }

const screen = `export const Now = () => <h1 className="caret">${ownPage.heading}</h1>\n`

/** Adds the page's row, its head and its screen, or only some of them. */
export function addOwnPage(
  { folder, edit }: Sources,
  parts: readonly ('row' | 'head' | 'screen')[] = ['row', 'head', 'screen'],
): void {
  const { path, title } = ownPage
  if (parts.includes('row')) {
    const before = "{ path: '/cv', title: texts.cv, entries: 'cv' },"
    const row = `{ path: '${path}', title: '${title}', icon: 'spark' },`
    edit('src/contract/pages.ts', before, `${before}\n  ${row}`)
  }
  if (parts.includes('head')) {
    const before = "'/inbox': {},"
    const head = `'${path}': { description: '${title}: {name}.', indexed: true, sheet: 'about' },`
    edit('src/contract/page-heads.ts', before, `${before}\n  ${head}`)
  }
  if (parts.includes('screen')) {
    writeFileSync(join(folder, 'src/client/site/now.tsx'), screen)
    const about = "import { About } from '#client/site/about.tsx'"
    edit('src/client/app/routes.tsx', about, `${about}\nimport { Now } from '#client/site/now.tsx'`)
    const before = "'/about': { layout: 'site', component: About },"
    const row = `'${path}': { layout: 'site', component: Now },`
    edit('src/client/app/routes.tsx', before, `${before}\n  ${row}`)
  }
}
