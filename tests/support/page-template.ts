/** A template as the build writes it, cut down to what the server looks at. */
export const pageTemplate = [
  '<!doctype html><html lang="es" data-theme="dark"><head><meta charset="utf-8">',
  '<script>document.title</script><!--head--><style>body{margin:0}</style></head>',
  '<body><div id="app"><!--app--></div><!--state--></body></html>',
].join('')
