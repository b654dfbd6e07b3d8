import { Suspense } from 'react'
import { noLoginTexts, noSetupTexts } from '#contract/texts/no-login.ts'
import { texts } from '#contract/texts/site.ts'
import { part } from '#client/data/part.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { retryParts } from './missing-parts.ts'

const Login = part(() => import('#client/login/login.tsx').then((file) => file.LoginScreen))
const Setup = part(() => import('#client/login/setup.tsx').then((file) => file.SetupScreen))

/** Says why nobody can sign in, until the way in has come: its code is asked for as that of all that is missing. */
export function LateLogin() {
  return (
    <Suspense fallback={null}>
      <Login>
        <Reason words={noLoginTexts} />
      </Login>
    </Suspense>
  )
}

/** The same for what a one-time link opens; the link stays in the address until then. */
export function LateSetup() {
  return (
    <Suspense fallback={null}>
      <Setup>
        <Reason words={noSetupTexts} />
      </Setup>
    </Suspense>
  )
}

function Reason({ words }: { readonly words: Record<'offline' | 'silent', string> }) {
  return (
    <section className="not-found" role="alert">
      <h1>{navigator.onLine ? words.silent : words.offline}</h1>
      <div className="actions">
        <Button onClick={() => void retryParts()}>{texts.retry}</Button>
        <a className={buttonClass({ tone: 'ghost' })} href="/">
          {texts.backHome}
        </a>
      </div>
    </section>
  )
}
