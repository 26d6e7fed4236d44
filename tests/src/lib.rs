//! What the tests of swathe share.
