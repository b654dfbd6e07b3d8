import { Suspense } from 'react'
import { noLoginTexts } from '#contract/texts/no-login.ts'
import { texts } from '#contract/texts/site.ts'
import { part } from '#client/data/part.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { retryParts } from './missing-parts.ts'

const Login = part(() => import('#client/login/login.tsx').then((file) => file.LoginScreen))

/** Says why nobody can sign in, until the way in has come: its code is asked for as that of all that is missing. */
export function LateLogin() {
  return (
    <Suspense fallback={null}>
      <Login>
        <section className="not-found" role="alert">
          <h1>{navigator.onLine ? noLoginTexts.silent : noLoginTexts.offline}</h1>
          <div className="actions">
            <Button onClick={() => void retryParts()}>{texts.retry}</Button>
            <a className={buttonClass({ tone: 'ghost' })} href="/">
              {texts.backHome}
            </a>
          </div>
        </section>
      </Login>
    </Suspense>
  )
}
