import { useRouter } from '@tanstack/react-router'

/** Goes back to where the owner came from inside the site, else to the form's list. */
export function useLeave(backPath: string) {
  const router = useRouter()
  return {
    goBack: () => {
      if (router.history.canGoBack()) router.history.back()
      else void router.navigate({ to: backPath, replace: true })
    },
    goTo: (path: string) => void router.navigate({ to: path }),
  }
}
