/** A moment as the API has it, as a column holds it. */
export function toDate<Absent extends null | undefined>(text: string | Absent): Date | Absent {
  return typeof text === 'string' ? new Date(text) : text;
}
