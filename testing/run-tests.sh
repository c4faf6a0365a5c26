# Runs the tests for ./frameloom test and ./frameloom stress, which read this file. Nothing here runs by itself.

readonly browser_packages=(chromium)
# The X server without a screen that tests show windows on.
readonly window_packages=(xvfb)
# Uses what is published, in a thorough run.
readonly release_packages=(gradle gnupg)
# Renders on three nodes, in a thorough run.
readonly farm_packages=(slurmctld slurmd slurm-client munge)
readonly second_pass_reports=surefire-reports-newest
# JVMs of tests optimise and collect as those of programs do, not quickly.
readonly all_compilers=-Dframeloom.testVm=-XX:+TieredCompilation
# Error Prone reads tests, too: the name is Maven's.
# shellcheck disable=SC2016
readonly all_checks='-Dframeloom.testChecks=${frameloom.checks}'
# A test of all cases takes minutes on a software driver; the watchdog comes after JUnit's own limit.
readonly long_limits=('-Djunit.jupiter.execution.timeout.default=600 s' -Dframeloom.testWatchdogSeconds=900)

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

# Fetches lavapipe from Debian's backports without installing it, and keeps it. Sets newer_driver to its manifest and
# newer_libraries to the folder of its libraries; both to nothing where none is offered that is newer than the installed
# one, or the caller has named drivers.
fetch_newer_lavapipe() {
    local folder=$root/target/lavapipe keys=/usr/share/keyrings/debian-archive-keyring.gpg
    local codename site apt installed fetched package library
    newer_driver='' newer_libraries=''
    [ -z "${VK_DRIVER_FILES:-}${VK_ADD_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] && is_debian_like && [ -e "$keys" ] || return 0
    installed=$(dpkg-query --showformat '${Version}' --show mesa-vulkan-drivers 2>/dev/null) || installed=0
    if [ -e "$folder/lavapipe.json" ] &&
        dpkg --compare-versions "$(dpkg-deb --field "$folder"/mesa-vulkan-drivers_*.deb Version)" gt "$installed"; then
        library=$(find "$folder/root" -name libvulkan_lvp.so)
        newer_driver=$folder/lavapipe.json newer_libraries=${library%/*}
        return
    fi
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    site=$(apt-get indextargets --format '$(SITE)' "Codename: $codename" 'Component: main' 'Created-By: Packages' | sort -u)
    rm -rf "$folder"
    mkdir -p "$folder/lists/partial" "$folder/root"
    printf 'deb [signed-by=%s] %s %s-backports main\n' "$keys" "${site%%[[:space:]]*}" "$codename" >"$folder/sources.list"
    apt=(apt-get -q -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder"
        -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=- -o APT::Sandbox::User=root)
    if ! { "${apt[@]}" update && (cd "$folder" && "${apt[@]}" download mesa-vulkan-drivers libdrm2); } >"$folder/log" 2>&1; then
        say "$codename-backports offers no lavapipe: $(tail -n 1 "$folder/log")"
        return
    fi
    fetched=$(dpkg-deb --field "$folder"/mesa-vulkan-drivers_*.deb Version)
    dpkg --compare-versions "$fetched" gt "$installed" || return 0
    for package in "$folder"/*.deb; do
        dpkg-deb --extract "$package" "$folder/root"
    done
    library=$(find "$folder/root" -name libvulkan_lvp.so)
    if LD_LIBRARY_PATH=${library%/*} ldd "$library" | grep 'not found' >"$folder/log"; then
        say "lavapipe of $codename-backports misses libraries: $(tr -s '\t\n ' ' ' <"$folder/log")"
        return
    fi
    sed "s#\"library_path\": *\"[^\"]*\"#\"library_path\": \"$library\"#" \
        "$folder"/root/usr/share/vulkan/icd.d/lvp_icd*.json >"$folder/part.json"
    # Only now all of it is there.
    mv "$folder/part.json" "$folder/lavapipe.json"
    newer_driver=$folder/lavapipe.json newer_libraries=${library%/*}
}

# Says how many tests opened a device of which driver, from what their JVMs wrote in the given folder of reports.
print_drivers() {
    local list=$root/target/drivers.txt count driver
    find "$root" -path "*/target/$1/drivers/*.txt" -exec cat {} + | sort >"$list"
    [ -s "$list" ] || say "no test opened a device of a Vulkan driver"
    cut -f 1 "$list" | uniq -c | while read -r count driver; do
        say "tests that opened a device of $driver: $count (target/drivers.txt names them)"
    done
}

# Prints what JVMs that died since the tests began left behind: where, and in which frames.
print_crashes() {
    local report
    while IFS= read -r report; do
        say "a JVM died: $report"
        sed -n '/^# A fatal error/,/^# Core dump/p; /^Command Line/p; /^Current thread/,/^Registers/p' "$report" | head -n 80 >&2
    done < <(find "$root" -name 'hs_err_pid*.log' -newer "$root/target/verify-started")
}

# Prints "PASSED FAILED SKIPPED", summed over all reports.
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
    local thorough=false effort=(-Dframeloom.testThorough=false -DexcludedGroups=thorough)
    case $* in
        '') ;;
        --thorough)
            thorough=true
            effort=(-Dframeloom.testThorough=true -DexcludedGroups=none -Dframeloom.testHardStopSeconds=14400
                "${long_limits[@]}" "$all_compilers" "$all_checks")
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
    if $thorough && ! { command -v gradle && command -v gpg; } >/dev/null; then
        want_packages "a release will not be signed, or not be tried with Gradle" "${release_packages[@]}"
    fi
    if $thorough && ! has_slurm; then
        want_packages "nothing will be rendered on nodes of Slurm" "${farm_packages[@]}"
    fi
    private_runtime_dir
    rm -rf "$root"/*/target/*-reports*

    fetch_newer_lavapipe
    local status=0 passed failed skipped module release_failed=0 farm_passed=0 farm_failed=0 farm_skipped=0
    stress_passed=0 stress_failed=0 stress_skipped=0
    say "tests on JDK $(jdk_version "$JAVA_HOME") ($JAVA_HOME)"
    mkdir -p "$root/target"
    touch "$root/target/verify-started"
    (
        # The installed driver comes first; tests that require what it lacks find the newer one.
        [ -z "$newer_driver" ] ||
            export VK_ADD_DRIVER_FILES=$newer_driver LD_LIBRARY_PATH=$newer_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        # Two modules at a time, where the one does not need the other.
        maven --fail-at-end -T 2 verify "${effort[@]}"
    ) || status=$?
    print_drivers surefire-reports
    if [ "$status" -eq 0 ]; then
        for module in samples benchmarks stress-tests; do
            mkdir -p "$root/$module/target"
            cp -p "$root/target/verify-started" "$root/$module/target/frameloom-built"
        done
        run_stress --quick
        ! $thorough || run_again "${effort[@]}" || status=$?
        ! $thorough || run_release || release_failed=1
        ! $thorough || run_farm
    else
        say "jcstress was left out, because tests failed"
    fi

    read -r passed failed skipped < <(sum_reports)
    passed=$((passed + stress_passed + farm_passed))
    failed=$((failed + stress_failed + release_failed + farm_failed))
    skipped=$((skipped + stress_skipped + farm_skipped))
    if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        print_crashes
        say "Maven failed outside of the tests, or a test JVM died: see the messages above"
    fi
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$status" -eq 0 ] && [ "$failed" -eq 0 ]
}

has_slurm() { command -v slurmctld && command -v slurmd && command -v sbatch && command -v munged; } >/dev/null

# Renders frames by an array job of Slurm on three nodes of this machine; one test of the count.
run_farm() {
    if ! is_root || ! has_slurm; then
        say "no frames are rendered on nodes of Slurm: that takes root and ${farm_packages[*]}"
        farm_skipped=1
    elif "$root/testing/slurm-farm" "$root/target/farm"; then
        farm_passed=1
    else
        farm_failed=1
    fi
}

# Stages a release of the last commit and lets programs use it.
run_release() {
    local version
    version=$(sed -n '/<artifactId>frameloom-parent</,/<version>/s/.*<version>\(.*\)-SNAPSHOT<.*/\1/p' "$root/pom.xml")
    rm -rf "$root/target/release" "$root/target/release.txt"
    "$root/release/stage" "$version" "$root/target/release" && "$root/release/try-consumers" "$version" "$root/target/release"
}

# Runs all tests of the libraries and samples on the newest JDK and the newest driver, where these are newer.
run_again() {
    local status=0
    find_newest_jdk
    [ -n "$newest_jdk$newer_driver" ] || return 0
    newest_jdk=${newest_jdk:-$JAVA_HOME}
    (
        [ -z "$newer_driver" ] ||
            export VK_DRIVER_FILES=$newer_driver LD_LIBRARY_PATH=$newer_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        say "tests of the libraries and samples once more on JDK $(jdk_version "$newest_jdk") ($newest_jdk)${newer_driver:+ and a newer driver}"
        maven --fail-at-end -pl '!benchmarks,!stress-tests' test-compile surefire:test@default-test \
            "-Djvm=$newest_jdk/bin/java" "$@" -Dmaven.compiler.useIncrementalCompilation=false "-Dframeloom.reports=$second_pass_reports"
    ) || status=$?
    print_drivers "$second_pass_reports"
    return "$status"
}
