import type { CloudApp } from '@tongtu/contract';
import { AlgorithmsPanel } from '../connecting/algorithms-panel.tsx';
import connectingStyles from '../connecting/connecting.module.css';
import { type Credentials, CredentialsForm } from '../connecting/credentials-form.tsx';
import { HostKeyChangedPanel, HostKeyPanel } from '../connecting/host-key-panels.tsx';
import { PromptsForm } from './prompts-form.tsx';
import type { TerminalStage } from './use-terminal.ts';

type StagePanelProps = {
  stage: TerminalStage;
  app: CloudApp;
  onLogIn: (credentials: Credentials) => void;
  onAnswer: (answers: string[]) => void;
  onTrust: (trusted: boolean) => void;
};

/** Over the terminal: what the session needs from the user before it goes on. */
export function StagePanel(props: StagePanelProps) {
  const panel = panelOf(props);
  return panel && <div className={connectingStyles.overlay}>{panel}</div>;
}

function panelOf({ stage, app, onLogIn, onAnswer, onTrust }: StagePanelProps) {
  switch (stage.type) {
    case 'credentials':
      return <CredentialsForm isRefused={stage.refused} wanted={stage.wanted} onSubmit={onLogIn} />;
    case 'prompts':
      return <PromptsForm prompts={stage} onSubmit={onAnswer} />;
    case 'host_key':
      return <HostKeyPanel fingerprint={stage.fingerprint} onAnswer={onTrust} />;
    case 'host_key_changed':
      return <HostKeyChangedPanel known={stage.known} fingerprint={stage.fingerprint} />;
    case 'no_common_algorithm':
      return <AlgorithmsPanel mismatch={stage} app={app} />;
    case 'connecting':
    case 'connected':
    case 'ended':
      return null;
  }
}
