import { paths } from '../../paths.ts';
import { checkText } from '../../text/check.ts';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import type { GateDeps } from './gate-deps.ts';

export function HomeButton({ deps }: { deps: GateDeps }) {
  return <PlainButton onClick={() => deps.goTo(paths.home)}>{checkText.home}</PlainButton>;
}
