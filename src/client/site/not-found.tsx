import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { project } from '#contract/sections/project.ts'
import type { Section } from '#contract/sections/section.ts'
import { texts } from '#contract/texts/site.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { buttonClass } from '#client/ui/button.tsx'
import { visibleSections } from './shell/navigation.ts'

// As any section: its route comes from the list of sections, not from this one's own path.
const { path: projectsPath }: Section = project

export function NotFound() {
  const { data } = useQuery(settingsQuery)
  return (
    <section className="not-found">
      <p className="huge caret" aria-hidden="true">
        404
      </p>
      <h1>{texts.notFound}</h1>
      <p>{texts.notFoundHint}</p>
      <div className="actions">
        <Link className={buttonClass()} to="/">
          {texts.backHome}
        </Link>
        {data && visibleSections(data).includes(project) && (
          <Link className={buttonClass({ tone: 'ghost' })} to={projectsPath}>
            {texts.seeProjects}
          </Link>
        )}
      </div>
    </section>
  )
}
