const codeLength = 6;

/** The digits of a typed or pasted text such as "123 456". */
export function codeDigits(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, codeLength);
}

export const completeCode = new RegExp(String.raw`^\d{${codeLength}}$`);
