import { texts } from '#contract/texts/site.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'

/** Replaces a page that failed while being drawn; its link loads the application anew. */
export function Broken() {
  return (
    <section className="not-found" role="alert">
      <h1>{texts.broken}</h1>
      <p>{texts.brokenHint}</p>
      <div className="actions">
        <Button onClick={() => location.reload()}>{texts.reload}</Button>
        <a className={buttonClass({ tone: 'ghost' })} href="/">
          {texts.backHome}
        </a>
      </div>
    </section>
  )
}
