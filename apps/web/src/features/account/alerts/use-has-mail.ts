import { useSiteConfig } from '../../../api/index.ts';

/** Whether the server sends mail, which is whether it can send codes. True until the answer arrives. */
export function useHasMail(): boolean {
  return useSiteConfig()?.mail_codes ?? true;
}
