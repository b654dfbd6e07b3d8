/** The queue's words that travel with its code to everybody. */
export const outboxTexts = {
  changedHere: 'Este elemento cambió en este dispositivo mientras lo editabas.',
  pictureLost: 'La imagen de este cambio ya no está en el dispositivo. Elige otra.',
  now: 'Ahora mismo',
} as const
