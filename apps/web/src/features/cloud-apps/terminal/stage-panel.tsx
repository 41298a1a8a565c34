import connectingStyles from '../connecting/connecting.module.css';
import { type Credentials, CredentialsForm } from '../connecting/credentials-form.tsx';
import { HostKeyChangedPanel, HostKeyPanel } from '../connecting/host-key-panels.tsx';
import { PromptsForm } from './prompts-form.tsx';
import type { TerminalStage } from './use-terminal.ts';

type StagePanelProps = {
  stage: TerminalStage;
  onLogIn: (credentials: Credentials) => void;
  onAnswer: (answers: string[]) => void;
  onTrust: (trusted: boolean) => void;
};

/** Over the terminal: what the session needs from the user before it goes on. */
export function StagePanel(props: StagePanelProps) {
  const panel = panelOf(props);
  return panel && <div className={connectingStyles.overlay}>{panel}</div>;
}

function panelOf({ stage, onLogIn, onAnswer, onTrust }: StagePanelProps) {
  switch (stage.type) {
    case 'credentials':
      return <CredentialsForm isRefused={stage.refused} wanted={stage.wanted} onSubmit={onLogIn} />;
    case 'prompts':
      return <PromptsForm prompts={stage} onSubmit={onAnswer} />;
    case 'host_key':
      return <HostKeyPanel fingerprint={stage.fingerprint} onAnswer={onTrust} />;
    case 'host_key_changed':
      return <HostKeyChangedPanel known={stage.known} fingerprint={stage.fingerprint} />;
    case 'connecting':
    case 'connected':
    case 'ended':
      return null;
  }
}
