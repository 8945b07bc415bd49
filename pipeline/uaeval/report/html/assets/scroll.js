// What is wider than the page fades out where more of it follows; a table says so, too.

function cue(scroll) {
  const left = scroll.scrollWidth - scroll.clientWidth;
  scroll.classList.toggle("more", left - scroll.scrollLeft > 1);
  const note = scroll.previousElementSibling;
  if (note) note.hidden = left < 2;
}

const widths = new ResizeObserver((entries) => entries.forEach((entry) => cue(entry.target)));

/** Watch all that scrolls sideways, and nothing that was watched before. */
function watchWidths() {
  widths.disconnect();
  for (const scroll of document.querySelectorAll(".scroll, nav ul")) {
    widths.observe(scroll);
    scroll.onscroll = () => cue(scroll);
  }
}

watchWidths();
