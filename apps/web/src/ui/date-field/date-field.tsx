import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { type ComponentProps, type KeyboardEvent, type MouseEvent, type ReactNode, useMemo, useState } from 'react';
import styles from './date-field.module.css';
import { dateExamples, dateFormats, type DateKind, readDate, tidyDate, writeDate } from './date-text.ts';
import { minuteStep, moveByKey } from './move-by-key.ts';
import { TypedInput, TypingContext } from './typed-input.tsx';
import { clearable } from '../field-icons.tsx';
import { uiText } from '../ui-text.ts';

const components = { input: TypedInput };

/** Antd's names of these buttons keep what stands on them, 2026年, from being heard. */
const locale = { lang: { yearSelect: '', monthSelect: '' } } as NonNullable<
  ComponentProps<typeof DatePicker>['locale']
>; // merged into the texts of the language

/** What scrolls can be scrolled by the keyboard too (WCAG 2.1.1); antd has no way to say so. */
function openToKeyboard(panel: HTMLElement | null): void {
  for (const column of panel?.querySelectorAll('ul') ?? []) {
    column.tabIndex = 0;
    column.ariaLabel = column.dataset['type'] === 'hour' ? uiText.hours : uiText.minutes;
  }
}

/** The focus stays in the field: the keyboard goes on working there, and a dialog around it keeps it. */
function stayInField(event: MouseEvent): void {
  event.preventDefault();
}

function renderPanel(panel: ReactNode) {
  return (
    // A new function each time, so that it is called for columns that have come since.
    <div role="presentation" ref={(element) => openToKeyboard(element)} onMouseDown={stayInField}>
      {panel}
    </div>
  );
}

const overflow = { adjustY: true, shiftX: true, shiftY: true };
/**
 * Below the field or above it, and wholly on the screen, at the price of lying over the field. Without offsets, which are
 * added after that and lead off the screen again; the style sheet keeps the distance.
 */
const placements = {
  bottomLeft: { points: ['tl', 'bl'], overflow },
  topLeft: { points: ['bl', 'tl'], overflow },
};

/** The time of a day that was picked, until one is picked too. */
const midnight = dayjs().startOf('day');
const kindProps = {
  date: {},
  datetime: { showTime: { format: dateFormats.time, defaultOpenValue: midnight } },
  time: { picker: 'time', minuteStep, showNow: false, needConfirm: false },
} as const;

/**
 * Another list each time, whose like antd takes for news: it forgets what it has made of a click by itself, or that very
 * date could not be picked any more. Its type speaks of lists only where several dates are picked.
 */
function asNews(shown: Dayjs | null): Dayjs {
  return (shown ? [shown] : []) as unknown as Dayjs;
}

type Panel = NonNullable<ComponentProps<typeof DatePicker>['mode']>;
/** On which a date or time is picked; the others lead to it. */
const panels = { date: 'date', datetime: 'date', time: 'time' } as const satisfies Record<DateKind, Panel>;

type DateFieldProps = {
  kind: DateKind;
  /** As typed; a date that can be read is written as `dateFormats` says. */
  value?: string;
  /** Called when the text is done: the field was left, Enter pressed, a day picked. */
  onChange?: (text: string) => void;
  allowClear?: boolean;
  id?: string;
  placeholder?: string;
  className?: string;
  'aria-label'?: string;
};

/**
 * A date or time that is Chinese whatever the browser speaks: typed, picked from a calendar, or moved by the arrow keys
 * once the calendar is open. Goes with `dateRule`, and into a chunk that is loaded for it: the calendar is large.
 */
export function DateField({
  kind,
  value = '',
  onChange,
  allowClear = true,
  className,
  ...given
}: DateFieldProps): ReactNode {
  const [draft, setDraft] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  /** The month that was turned to; without, it is that of the date. */
  const [page, setPage] = useState<Dayjs>();
  const [panel, setPanel] = useState<Panel>(panels[kind]);
  const text = draft ?? value;
  const shown = useMemo(() => {
    const read = readDate(kind, text);
    return read.type === 'read' ? dayjs(read.date) : null;
  }, [kind, text]);

  function show(open: boolean) {
    if (open && !isOpen) {
      setPage(undefined);
      setPanel(panels[kind]);
    }
    setIsOpen(open);
  }
  function type(typed: string) {
    setPage(undefined);
    setDraft(typed);
  }
  function commit(done: string) {
    setPage(undefined);
    setDraft(undefined);
    onChange?.(done);
  }
  function settle() {
    if (draft !== undefined) commit(tidyDate(kind, draft));
  }
  // antd's type allows for several days as well, and says nothing of none, which there is at the end of a clearing.
  function pick(picked: Dayjs | Dayjs[] | null) {
    // A month or a year is a look at its days, though antd makes a date of it.
    if (panel !== panels[kind]) return;
    if (dayjs.isDayjs(picked)) commit(writeDate(kind, picked.toDate()));
  }
  function onKey(event: KeyboardEvent): boolean {
    switch (event.key) {
      case 'Enter':
        settle();
        if (!isOpen) return true; // it is the form's
        event.preventDefault();
        show(false);
        return true;
      case 'Escape':
        settle();
        return false;
      case 'ArrowDown':
        if (isOpen) break;
        event.preventDefault();
        show(true);
        return true;
      default:
    }
    const to = isOpen ? moveByKey(kind, text, event.key) : undefined;
    if (to === undefined) return false;
    event.preventDefault();
    commit(to);
    return true;
  }

  return (
    <TypingContext value={{ text, onType: type, onKey, onLeave: settle }}>
      <DatePicker
        placeholder={uiText.dateExample(dateExamples[kind])}
        {...given}
        {...kindProps[kind]}
        className={className ?? styles.field ?? ''}
        classNames={{ popup: { root: styles.calendar ?? '' } }}
        components={components}
        builtinPlacements={placements}
        format={dateFormats[kind]}
        previewValue={false}
        locale={locale}
        panelRender={renderPanel}
        allowClear={allowClear && clearable()}
        value={asNews(shown)}
        pickerValue={page ?? shown ?? dayjs().startOf('day')}
        onPickerValueChange={(turnedTo, { source }) => source === 'panel' && setPage(turnedTo)}
        mode={panel}
        onPanelChange={(_turnedTo, mode) => setPanel(mode)}
        open={isOpen}
        onOpenChange={show}
        // Each click counts at once, so that nothing is lost without the button below.
        onCalendarChange={pick}
        onClear={() => commit('')}
      />
    </TypingContext>
  );
}
