# SPDX-License-Identifier: GPL-3.0-or-later
# fish completion for beckonctl. What there is to complete is asked of beckonctl itself, in the person's language.

function __beckonctl_commands
    beckonctl $argv --help </dev/null 2>/dev/null | string match -r -g '^  ([a-z]+) +(.*)$' | paste - -
end

function __beckonctl_options
    set -l command (commandline -opc)[2]
    beckonctl $command --help </dev/null 2>/dev/null | string match -r -g '^  (?:-[a-z], )?(--[a-z-]+)\S* +(.*)$' | paste - -
end

function __beckonctl_places
    beckonctl $argv </dev/null 2>/dev/null | string match -r -g '^([0-9A-Z]{26}) +(.*)$' | paste - -
end

function __beckonctl_profiles
    beckonctl profile list </dev/null 2>/dev/null | string match -r -g '^[^\t]+\t([^\t]+)\t([^\t]*)' | paste - -
end

function __beckonctl_servers
    beckonctl mcp list </dev/null 2>/dev/null | string match -r -g '^([^\t]+)\t([^\t]*)' | paste - -
end

function __beckonctl_at
    set -l words (commandline -opc)
    test (count $words) -eq $argv[1]; and contains -- $words[2] $argv[2..-1]
end

function __beckonctl_in
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

complete -c beckonctl -f
complete -c beckonctl -n 'test (count (commandline -opc)) -eq 1' -a '(__beckonctl_commands)'
complete -c beckonctl -n 'test (count (commandline -opc)) -gt 1; and string match -q -- "-*" (commandline -ct)' -a '(__beckonctl_options)'
complete -c beckonctl -n '__beckonctl_at 2 answer reject' -a '(__beckonctl_places questions)'
complete -c beckonctl -n '__beckonctl_at 2 show export pin unpin archive unarchive rename duplicate branch delete resume stop' -a '(__beckonctl_places list)'
complete -c beckonctl -n '__beckonctl_at 2 undo' -a '(__beckonctl_places undo)'
complete -c beckonctl -n '__beckonctl_at 2 copies' -a open
complete -c beckonctl -n '__beckonctl_at 3 copies' -a '(beckonctl copies </dev/null 2>/dev/null | string match -r -g "^(\S+) ")'
complete -c beckonctl -n '__beckonctl_at 2 profile' -a 'list show add set test models use remove'
complete -c beckonctl -n '__beckonctl_at 3 profile' -a '(__beckonctl_profiles)'
complete -c beckonctl -n '__beckonctl_at 2 channel' -a 'list kinds serve add test pair sign-in log set on off remove'
complete -c beckonctl -n '__beckonctl_at 3 channel' -a '(beckonctl channel list </dev/null 2>/dev/null | string match -r -g "^([^\t]+)\t")'
complete -c beckonctl -n '__beckonctl_at 2 mcp' -a 'list add set import test log on off sign-in sign-out remove prompts prompt resources read'
complete -c beckonctl -n '__beckonctl_at 3 mcp' -a '(__beckonctl_servers)'
complete -c beckonctl -n '__beckonctl_at 2 debug' -a '(__beckonctl_commands debug)'
complete -c beckonctl -n '__beckonctl_at 2 answers' -a '(__beckonctl_commands answers)'
complete -c beckonctl -n '__beckonctl_at 2 policy' -a '(__beckonctl_commands policy)'
complete -c beckonctl -n '__beckonctl_in policy; and contains -- remove (commandline -opc)' -a '(__beckonctl_places policy list)'
complete -c beckonctl -n '__beckonctl_at 2 import' -F
complete -c beckonctl -n '__beckonctl_at 4 debug' -F
complete -c beckonctl -n '__beckonctl_in chat run' -s p -l profile -x -a '(__beckonctl_profiles)'
complete -c beckonctl -n '__beckonctl_in chat run provenance' -s c -l conversation -x -a '(__beckonctl_places list)'
complete -c beckonctl -n '__beckonctl_in undo' -l turn -x -a '(__beckonctl_places list)'
complete -c beckonctl -n '__beckonctl_in chat run policy' -l mode -x -a 'everything changes outside'
complete -c beckonctl -n '__beckonctl_in chat run' -l effort -x -a 'off low medium high max default'
complete -c beckonctl -n '__beckonctl_in chat run policy answers' -l folder -x -a '(__fish_complete_directories)'
complete -c beckonctl -n '__beckonctl_in chat run' -s a -l attach -r -F
complete -c beckonctl -n '__beckonctl_in run' -s o -l output-last-message -r -F
complete -c beckonctl -n '__beckonctl_in export' -s o -l output -r -F
complete -c beckonctl -n '__beckonctl_in export' -s f -l format -x -a 'markdown json'
complete -c beckonctl -n '__beckonctl_in profile' -l fallback -x -a '(__beckonctl_profiles)'
complete -c beckonctl -n '__beckonctl_in profile' -l kind -x -a 'chat responses anthropic gemini ollama'
complete -c beckonctl -n '__beckonctl_in profile' -l pdf -x -a 'auto text file'
