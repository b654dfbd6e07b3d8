/** The few words the worker says by itself; they travel in it, so nothing else is here. */
export const workerTexts = {
  /** Stands for a push message that is not understood: the browser insists that something is shown. */
  unknown: 'Hay novedades en tu portafolio',
  waiting: 'Hay cambios sin publicar',
  waitingHint: 'Abre la aplicación para enviarlos.',
} as const
