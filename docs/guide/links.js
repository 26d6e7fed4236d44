// Links out of the book: mdBook turns `.md` into `.html` in them, too, and there the pages stay as they are.
for (const link of document.querySelectorAll('main a[href^="../../"]')) {
    link.setAttribute("href", link.getAttribute("href").replace(/\.html(?=#|$)/, ".md"));
}
