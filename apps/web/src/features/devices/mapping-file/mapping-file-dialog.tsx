import { DownloadOutlined, UploadOutlined } from '@ant-design/icons';
import { Button, Checkbox } from 'antd';
import type { Device } from '@tongtu/contract';
import { MAX_MAPPING_FILE_LENGTH } from '@tongtu/contract/limits';
import { type ChangeEvent, useRef, useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { mappingFileText } from '../../../text/devices/mapping-file.ts';
import { downloadText } from '../../../ui/copy/download-text.ts';
import { Dialog, nothingToKeep } from '../../../ui/dialog/dialog.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import { changeCount, ImportFailure, ImportPlan } from './import-plan.tsx';
import styles from './mapping-file.module.css';
import { useImport, useImportPreview, useMappingExport } from './use-mapping-file.ts';

type ChosenFile = { name: string; yaml: string };

/** Exports a device's mappings as a file, and imports one after showing what it will change. */
export function MappingFileDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const toast = useToast();
  const preview = useImportPreview(device.id);
  const apply = useImport(device.id);
  const [file, setFile] = useState<ChosenFile>();
  const [deletesOthers, setDeletesOthers] = useState(false);
  const plan = preview.data;
  const hasChanges = plan !== undefined && changeCount(plan) > 0;

  function show(chosen: ChosenFile, deletes: boolean) {
    apply.reset();
    preview.mutate({ yaml: chosen.yaml, deletesOthers: deletes });
  }
  function choose(chosen: ChosenFile | undefined) {
    setFile(chosen);
    preview.reset();
    apply.reset();
    if (chosen) show(chosen, deletesOthers);
  }
  async function send() {
    if (file === undefined) return;
    try {
      const result = await apply.mutateAsync({ yaml: file.yaml, deletesOthers });
      toast.success(mappingFileText.applied(changeCount(result)));
      onClose();
    } catch {
      // The dialog shows it.
    }
  }

  return (
    <Dialog
      title={mappingFileText.title(device.name)}
      okText={mappingFileText.apply}
      okButtonProps={{
        disabled: !hasChanges || preview.isPending,
        danger: plan !== undefined && plan.deleted.length > 0,
      }}
      confirmLoading={apply.isPending}
      onOk={() => void send()}
      onClose={onClose}
      hasUnsavedInput={nothingToKeep}
    >
      <ExportSection device={device} />
      <section className={styles.section}>
        <h3>{mappingFileText.importTitle}</h3>
        <p>{mappingFileText.importHint}</p>
        <FileButton isBusy={preview.isPending} onRead={choose} />
        {file && <span className={styles.file}>{mappingFileText.chosen(file.name)}</span>}
        <Checkbox
          checked={deletesOthers}
          onChange={({ target: { checked } }) => {
            setDeletesOthers(checked);
            if (file) show(file, checked);
          }}
        >
          {mappingFileText.deleteOthers}
        </Checkbox>
        <p>{mappingFileText.deleteOthersHint}</p>
      </section>
      <div aria-live="polite">
        {preview.isError && <ImportFailure error={preview.error} />}
        {apply.isError && <ImportFailure error={apply.error} />}
        {plan && !apply.isError && <ImportPlan plan={plan} />}
      </div>
    </Dialog>
  );
}

function ExportSection({ device }: { device: Device }) {
  const toast = useToast();
  const exported = useMappingExport(device.id);

  async function download() {
    try {
      const { yaml } = await exported.mutateAsync();
      downloadText(`tongtu-${device.uid}.yaml`, yaml, 'text/plain');
    } catch (error) {
      toast.error(errorText(error));
    }
  }
  return (
    <section className={styles.section}>
      <h3>{mappingFileText.exportTitle}</h3>
      <p>{mappingFileText.exportHint}</p>
      <Button icon={<DownloadOutlined />} loading={exported.isPending} onClick={() => void download()}>
        {mappingFileText.exportButton}
      </Button>
    </section>
  );
}

type FileButtonProps = {
  isBusy: boolean;
  /** Undefined: the file is too large. */
  onRead: (file: ChosenFile | undefined) => void;
};

function FileButton({ isBusy, onRead }: FileButtonProps) {
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);

  async function read({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    if (!file) return;
    // A character has four bytes at most.
    const yaml = file.size > 4 * MAX_MAPPING_FILE_LENGTH ? undefined : await file.text();
    target.value = ''; // the same file can be chosen again
    const isTooLarge = yaml === undefined || yaml.length > MAX_MAPPING_FILE_LENGTH;
    if (isTooLarge) toast.error(mappingFileText.tooLarge);
    onRead(isTooLarge ? undefined : { name: file.name, yaml });
  }
  return (
    <>
      <Button icon={<UploadOutlined />} loading={isBusy} onClick={() => input.current?.click()}>
        {mappingFileText.choose}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml,.json"
        hidden
        aria-label={mappingFileText.choose}
        onChange={(event) => void read(event)}
      />
    </>
  );
}
