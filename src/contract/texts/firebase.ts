/** The call that gives the owner's page what it signs in with at Firebase. */
export const firebaseTokenCall = 'firebase/token'

export const firebaseTexts = {
  halves: 'Firebase está configurado a medias. Pon también {names}, o quita las demás variables.',
  noSource: 'VITE_REMOTE_CONFIG debe ser {sources}, o no estar.',
  noAccount:
    'Falta la cuenta de servicio de Firebase en el servidor (FIREBASE_SERVICE_ACCOUNT_FILE).',
  pictureRefused:
    'Firebase no aceptó la imagen. Revisa las reglas de almacenamiento (storage.rules) del proyecto.',
} as const
