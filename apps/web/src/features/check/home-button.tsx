import { paths } from '../../routing/paths.ts';
import { gateText } from '../../text/gate/gate.ts';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import type { GateDeps } from './gate-deps.ts';

export function HomeButton({ deps }: { deps: GateDeps }) {
  return <PlainButton onClick={() => deps.goTo(paths.home)}>{gateText.home}</PlainButton>;
}
