import { ClientOnly, type AsyncRouteComponent } from '@tanstack/react-router'
import { Loading } from './loading.tsx'

/**
 * For a page that depends on the session, which only the browser knows: the server draws the wait in its place. Its
 * code is loaded before the page is shown, after the guards in front of it.
 */
export function onlyInBrowser<Props extends object>(
  Screen: AsyncRouteComponent<Props>,
  useProps: () => Props,
) {
  const Page = () => {
    const props = useProps()
    return (
      <ClientOnly fallback={<Loading />}>
        <Screen {...props} />
      </ClientOnly>
    )
  }
  const preload = async () => {
    if (typeof document !== 'undefined') await Screen.preload?.()
  }
  return Object.assign(Page, { preload })
}
