#!/bin/sh
# Starts three helpers: one in its process group, one in a session of its own, one that ignores TERM. Prints their
# process ids and stays.
sleep 1000 &
echo $!
setsid sh -c 'echo $$; exec sleep 1000' &
sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' &
wait
