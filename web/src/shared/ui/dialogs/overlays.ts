/** The sheets of what opens over a page, and of the buttons in its place: no page is drawn with them. */
import "@mantine/core/styles/ActionIcon.css";
import "@mantine/core/styles/Popover.css";
import "@mantine/core/styles/Menu.css";
import "@mantine/core/styles/Overlay.css";
import "@mantine/core/styles/ModalBase.css";
import "@mantine/core/styles/Modal.css";
import "@mantine/core/styles/ScrollArea.css";
