/** A plain-text mail. `code` repeats the code of the text for the development page. */
type Mail = { to: string; subject: string; text: string; code?: string };

export type Mailer = {
  /** Resolves when the mail server has accepted the mail. Throws `mail.unavailable`. */
  send(mail: Mail): Promise<void>;
};
