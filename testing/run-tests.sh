# Runs the tests for ./frameloom test and ./frameloom stress, which read this file. Nothing here runs by itself.

readonly browser_packages=(chromium)
# The X server without a screen that tests show windows on.
readonly window_packages=(xvfb)
readonly second_pass_reports=surefire-reports-newest-jdk
# JVMs of tests optimise as those of programs do, not quickly.
readonly all_compilers=-Dframeloom.testJit=-XX:+TieredCompilation

# Runs the jcstress tests; StressMain in the jar holds those that ran against those that are there, since jcstress
# itself ends with 0 when it ran none. Sets stress_passed, stress_failed and stress_skipped.
run_stress() {
    local jar=$root/stress-tests/target/jcstress.jar work=$root/stress-tests/target/jcstress
    build stress-tests "$jar"
    mkdir -p "$work"
    local log=$work/jcstress.log status=0 counts ran complaints
    say "jcstress on JDK $(jdk_version "$JAVA_HOME"); its whole output: $log"
    (cd "$work" && "$JAVA_HOME/bin/java" -jar "$jar" "$@" --report "$work/report") 2>&1 | tee "$log" |
        sed -nE '/^(RUN RESULTS|Exception)/,$ { p; d; }; /^\(Results: /p; /\[(FAILED|[A-Z]+ ERROR)\]/p' || status=$?
    counts=$(sed -nE 's/^stress: ([0-9]+) tests? ran in [0-9]+ configurations?, ([0-9]+) skipped, ([0-9]+) complaints?/\1 \2 \3/p' "$log")
    read -r ran stress_skipped complaints <<<"${counts:-0 0 0}"
    stress_failed=0
    if [ "$status" -ne 0 ] || [ -z "$counts" ]; then
        stress_failed=$((complaints > 0 ? complaints : 1))
    fi
    stress_passed=$((ran > stress_failed ? ran - stress_failed : 0))
}

# Sets newest_jdk to the newest JDK found if it is newer than JAVA_HOME, else to nothing.
find_newest_jdk() {
    local home version newest places
    newest=$(jdk_version "$JAVA_HOME")
    newest_jdk=
    IFS=: read -r -a places <<<"${FRAMELOOM_JDKS:-/usr/lib/jvm}"
    while IFS= read -r home; do
        version=$(jdk_version "$home")
        if [ -n "$version" ] && [ "$version" -gt "$newest" ]; then
            newest=$version
            newest_jdk=$home
        fi
    done < <(jdk_homes "${places[@]}")
}

# Prints what JVMs that died since the tests began left behind: where, and in which frames.
print_crashes() {
    local report
    while IFS= read -r report; do
        say "a JVM died: $report"
        sed -n '/^# A fatal error/,/^# Core dump/p; /^Command Line/p; /^Current thread/,/^Registers/p' "$report" | head -n 80 >&2
    done < <(find "$root" -name 'hs_err_pid*.log' -newer "$root/target/verify-started")
}

# Prints "PASSED FAILED SKIPPED", summed over all reports of surefire and failsafe.
sum_reports() {
    find "$root" -path '*/target/*-reports*/TEST-*.xml' -exec grep -h -m 1 '<testsuite ' {} + | awk '
        function attribute(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
        {
            failed += attribute("errors") + attribute("failures")
            skipped += attribute("skipped")
            all += attribute("tests")
        }
        END { print all - failed - skipped, failed + 0, skipped + 0 }'
}

has_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null

run_tests() {
    refuse_properties test
    local effort=(-Dframeloom.testThorough=false) left_out=thorough
    case $* in
        '') ;;
        --thorough)
            effort=(-Dframeloom.testThorough=true -Dframeloom.testHardStopSeconds=14400 "$all_compilers")
            left_out=none
            ;;
        *) fail "test takes --thorough alone, but got: $*" ;;
    esac
    need_tools
    if ! { has_driver && has_layers; }; then
        want_packages "tests that need a Vulkan driver and its validation layers will be skipped or fail" \
            "${driver_packages[@]}" "${layer_packages[@]}"
    fi
    has_browser || want_packages "tests that open reports in a browser will be skipped" "${browser_packages[@]}"
    if [ "$(uname -s)" = Linux ] && ! command -v Xvfb >/dev/null; then
        want_packages "tests that show windows will be skipped" "${window_packages[@]}"
    fi
    private_runtime_dir
    rm -rf "$root"/*/target/*-reports*

    find_newest_jdk
    # Where no second pass follows, the first one has what the second would.
    [ -n "$newest_jdk" ] || effort+=("$all_compilers")

    local status=0 passed failed skipped module
    stress_passed=0 stress_failed=0 stress_skipped=0
    say "tests on JDK $(jdk_version "$JAVA_HOME") ($JAVA_HOME)"
    mkdir -p "$root/target"
    touch "$root/target/verify-started"
    # Two modules at a time, where the one does not need the other.
    maven --fail-at-end -T 2 verify "${effort[@]}" "-DexcludedGroups=$left_out" || status=$?
    if [ "$status" -eq 0 ]; then
        for module in samples benchmarks stress-tests; do
            mkdir -p "$root/$module/target"
            cp -p "$root/target/verify-started" "$root/$module/target/frameloom-built"
        done
        run_stress --quick
        if [ -n "$newest_jdk" ]; then
            say "unit tests of the libraries and samples once more on JDK $(jdk_version "$newest_jdk") ($newest_jdk)"
            maven --fail-at-end -pl '!benchmarks,!stress-tests' test-compile surefire:test@default-test "-Djvm=$newest_jdk/bin/java" \
                "${effort[@]}" "-DexcludedGroups=once,$left_out" "$all_compilers" -Dmaven.compiler.useIncrementalCompilation=false \
                "-Dframeloom.reports=$second_pass_reports" || status=$?
        fi
    else
        say "jcstress and the second pass were left out, because the first pass failed"
    fi

    read -r passed failed skipped < <(sum_reports)
    passed=$((passed + stress_passed))
    failed=$((failed + stress_failed))
    skipped=$((skipped + stress_skipped))
    if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        print_crashes
        say "Maven failed outside of the tests, or a test JVM died: see the messages above"
    fi
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$status" -eq 0 ] && [ "$failed" -eq 0 ]
}
