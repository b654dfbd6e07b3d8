vcl 4.1;

# A caching proxy in front of Tintero that is told of each change: what visitors read comes from here until then. Start the site
# with SHARED_CACHE=300 SHARED_CACHE_PURGE=http://127.0.0.1:6082/ and TRUST_PROXY=1, or 2 where what speaks TLS stands before
# this, and this with
#   varnishd -f varnish.vcl -a :6081 -a purge=127.0.0.1:6082 -p http_gzip_support=off
# and put the real places and ports where they belong. Only the site may reach the second address: there it is told.
# Whatever the site does not mark for shared caches is passed on and kept nowhere, and so is every request that names somebody.

backend default {
  .host = "127.0.0.1";
  .port = "3000";
  # A backup is made before it is answered.
  .first_byte_timeout = 300s;
}

sub vcl_recv {
  if (req.method == "PURGE") {
    # Behind another proxy on this machine every visitor has an address of this machine.
    if (local.socket != "purge") {
      return (synth(405));
    }
    ban("req.url ~ .");
    return (synth(200));
  }
  if (req.http.Authorization || req.http.Cookie || req.url ~ "[?&]ticket=") {
    return (pass);
  }
}

sub vcl_backend_response {
  if (!beresp.http.Cache-Control) {
    set beresp.uncacheable = true;
  }
  # What is over is asked about before anybody gets it.
  set beresp.grace = 0s;
  set beresp.keep = 1h;
}

sub vcl_deliver {
  if (obj.hits > 0) {
    set resp.http.X-Cache = "HIT";
  } else {
    set resp.http.X-Cache = "MISS";
  }
}
