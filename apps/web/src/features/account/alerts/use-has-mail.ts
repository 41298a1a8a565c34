import { useSiteConfig } from '../../../api/index.ts';

/** Whether the server sends mail, of which it says that it can send codes; true until it has said so. */
export function useHasMail(): boolean {
  return useSiteConfig()?.mail_codes ?? true;
}
